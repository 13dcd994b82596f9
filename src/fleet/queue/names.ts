/** The PostgreSQL schema of the queue's own tables. */
export const queueSchemaName = 'longshore_queue';

/** The names of the queue of jobs, and of the dead letter queue. */
export const jobQueueName = 'jobs';
export const deadLetterQueueName = 'dead';
