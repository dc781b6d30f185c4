// An archive to unpack anywhere: bin/thruflux and bin/thru start from there.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { runLogged } from '../../lib/run.mjs'
import { evenOut, sourceDate } from './reproducible.mjs'

/** @param {{ prefix: string, work: string, file: string, version: string, arch: string, quick: boolean }} asked */
export async function makeArchive({ prefix, work, file, version, arch, quick }) {
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const name = `thruflux-${version}-linux-${arch}`
  execFileSync('cp', ['-a', prefix, join(work, name)])
  evenOut(work)
  const owner = ['--owner=0', '--group=0', '--numeric-owner']
  const sameOrder = ['--sort=name', '--format=gnu', `--mtime=@${sourceDate()}`]
  const args = [
    '-C',
    work,
    ...owner,
    ...sameOrder,
    '-I',
    `gzip -n${quick ? 1 : 9}`,
    '-cf',
    file,
    name,
  ]
  await runLogged(`packing ${basename(file)}`, 'tar', args, { log: `${work}.log` })
  rmSync(work, { recursive: true })
}
