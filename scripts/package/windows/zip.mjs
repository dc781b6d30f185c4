// Makes an archive to unpack anywhere, with a single folder named after the app.
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runLogged } from '../../lib/run.mjs'

/** Packs the laid out tree. */
export async function makeZip({ tree, work, file, quick, log }) {
  rmSync(file, { force: true })
  rmSync(join(work, 'Thruflux'), { recursive: true, force: true })
  cpSync(tree, join(work, 'Thruflux'), { recursive: true })
  const level = quick ? '-mx=1' : '-mx=9'
  await runLogged('packing the zip', '7z', ['a', '-tzip', level, file, 'Thruflux'], {
    log,
    cwd: work,
  })
}
