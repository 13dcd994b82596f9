// Other tools that read or write CSV from JavaScript: measured where they are installed, by
// npm install --no-save papaparse @duckdb/node-api
import { createReadStream } from 'node:fs';

/** The peers by the names in the tables; each loads its package when it is used. */
export const peers = {
  'papaparse alone': { package: 'papaparse', read: readByPapaParse },
  'DuckDB, rows to JS': { package: '@duckdb/node-api', read: readByDuckDb, write: writeByDuckDb },
};

/** Returns true if the package of a peer is installed. */
export function isInstalled(name) {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Hands each record of a CSV to `take`, the header included. */
async function readByPapaParse(path, take) {
  const { default: papa } = await import('papaparse');
  await new Promise((resolve, reject) => {
    const step = ({ data }) => take(data);
    papa.parse(createReadStream(path), { step, complete: resolve, error: reject, skipEmptyLines: true });
  });
}

async function readByDuckDb(path, take) {
  const connection = await connect();
  const sql = `SELECT * FROM read_csv('${path}', all_varchar = true, header = false)`;
  const result = await connection.stream(sql);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    for (const record of chunk.getRows()) take(record);
  }
}

/** Writes records, the first of them a header, as a CSV. */
async function writeByDuckDb(path, records) {
  const connection = await connect();
  let appender;
  for (const record of records) {
    if (appender === undefined) {
      const columns = record.map((name) => `"${name}" VARCHAR`).join(', ');
      await connection.run(`CREATE TABLE written (${columns})`);
      appender = await connection.createAppender('written');
      continue;
    }
    for (const cell of record) appender.appendVarchar(cell);
    appender.endRow();
  }
  appender.closeSync();
  await connection.run(`COPY written TO '${path}' (HEADER)`);
}

async function connect() {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:');
  return await instance.connect();
}
