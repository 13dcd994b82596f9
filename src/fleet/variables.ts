/** The environment variable with the URL of the fleet's database. */
export const fleetDatabaseVariable = 'LONGSHORE_FLEET_DATABASE';

/** The environment variable with the key of the fleet, and the one with the path of a file that contains the key. */
export const fleetKeyVariable = 'LONGSHORE_FLEET_KEY';
export const fleetKeyFileVariable = 'LONGSHORE_FLEET_KEY_FILE';

/** The environment variable with the password that `fleet init` gives the role of the workers. */
export const workerPasswordVariable = 'LONGSHORE_FLEET_WORKER_PASSWORD';
