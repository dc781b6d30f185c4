// promtool, which checks what monitoring reads. It is in a package with a service that nobody here wants to run, so it is taken out of there.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cacheRoot } from '../lib/cache.mjs'
import { step } from '../lib/failure.mjs'
import { capture } from '../lib/run.mjs'

/** Where programs are that tests alone use. */
export const testTools = join(cacheRoot, 'tools')

/** Puts promtool there, unless the system has it. No root is needed; without it one line says what is skipped. */
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
      // By way of the same folder: the cache may be another file system.
      const partial = `${wanted}.${process.pid}`
      copyFileSync(join(folder, 'usr/bin/promtool'), partial)
      renameSync(partial, wanted)
    } else console.log('  Tests that need promtool are skipped: it could not be fetched.')
    rmSync(folder, { recursive: true })
  })
}
