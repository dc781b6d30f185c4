/** The tables of `history.db`, and their migration from earlier versions. */
import type { Database } from 'node-sqlite3-wasm'

/** Step n makes version n + 1 from version n. Released steps never change; a new version is a new step. */
const steps: readonly string[] = [
  `CREATE TABLE transfers (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     direction TEXT NOT NULL,
     transfer TEXT NOT NULL,
     ended_at INTEGER NOT NULL,
     has_problems INTEGER NOT NULL,
     -- What people search for, in small letters.
     words TEXT NOT NULL,
     -- The entry as JSON, whose strings hold any name.
     entry TEXT NOT NULL,
     UNIQUE (direction, transfer)
   );
   CREATE INDEX by_time ON transfers (ended_at DESC, id DESC);`,
]

/** Stored in the file as `user_version`. */
export const schemaVersion = steps.length

/** Migrates a database of an earlier version, completely or not at all. */
export function migrate(database: Database, version: number): void {
  if (version === schemaVersion) return
  database.exec('BEGIN IMMEDIATE')
  for (const step of steps.slice(version)) database.exec(step)
  database.exec(`PRAGMA user_version = ${schemaVersion}`)
  database.exec('COMMIT')
}
