import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FleetDatabase, fleetDatabase } from './fleet-database.ts';
import { killWorkers } from './killed-workers.ts';

let database: FleetDatabase;
beforeAll(async () => {
  database = await fleetDatabase();
});
afterAll(() => database.remove());

it('a worker killed at any moment loses no acknowledged row, and another machine goes on with the same bytes', async () => {
  await killWorkers(database, 20_261_122, 25);
  expect.hasAssertions();
});
