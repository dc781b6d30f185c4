// Extracts promtool, which checks the monitoring files, from its package without installing the service in it.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cacheRoot } from '../lib/cache.mjs'
import { step } from '../lib/failure.mjs'
import { capture } from '../lib/run.mjs'

/** The folder of programs that only tests use. */
export const testTools = join(cacheRoot, 'tools')

/** Installs promtool there unless the system has it; needs no root. If that fails, prints what is skipped. */
export async function offerPromtool() {
  const wanted = join(testTools, 'promtool')
  if (existsSync(wanted) || capture('promtool', ['--version']) !== undefined) return
  await step('fetching promtool', () => {
    const folder = mkdtempSync(join(tmpdir(), 'thruflux-promtool-'))
    const taken =
      'apt-get -q download prometheus && dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x ./usr/bin/promtool'
    const isThere = capture('sh', ['-c', taken], { cwd: folder }) !== undefined
    mkdirSync(testTools, { recursive: true })
    if (isThere) {
      // The cache can be on another file system, so the copy is renamed within it.
      const partial = `${wanted}.${process.pid}`
      copyFileSync(join(folder, 'usr/bin/promtool'), partial)
      renameSync(partial, wanted)
    } else console.log("  Tests that need promtool are skipped: it couldn't be downloaded.")
    rmSync(folder, { recursive: true })
  })
}
