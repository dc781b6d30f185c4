// Makes an archive to unpack anywhere, with bin/thruflux and bin/thru.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { runLogged } from '../../lib/run.mjs'
import { plainModes, reproducibleTar, sourceDate } from '../archive.mjs'

/** @param {{ prefix: string, work: string, file: string, version: string, arch: string, quick: boolean }} asked */
export async function makeArchive({ prefix, work, file, version, arch, quick }) {
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const name = `thruflux-${version}-linux-${arch}`
  execFileSync('cp', ['-a', prefix, join(work, name)])
  plainModes(work)
  const compress = ['-I', `gzip -n${quick ? 1 : 9}`]
  const args = [...reproducibleTar(sourceDate()), ...compress, '-C', work, '-cf', file, name]
  await runLogged(`packing ${basename(file)}`, 'tar', args, { log: `${work}.log` })
  rmSync(work, { recursive: true })
}
