/** The PostgreSQL schema of the queue's own tables. */
export const queueSchema = 'longshore_queue';

/** The queue of jobs, and that of jobs that were given up. */
export const jobQueue = 'jobs';
export const deadQueue = 'dead';
