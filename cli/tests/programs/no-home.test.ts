/** Accounts that are only a number, as in containers, have no home folder: the command works, but saves nothing. */
import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { temporaryFolder } from '#client/testing/temporary-folder'
import { Thru } from './thru'

const at = temporaryFolder()

/** Runs the command on a system that knows no home folder, without a variable for one. */
function run(...args: readonly string[]) {
  const withoutHome = at('without-home.cjs')
  const reason = "throw new Error('ENOENT: no such file or directory, uv_os_homedir')"
  writeFileSync(withoutHome, `require('node:os').homedir = () => { ${reason} }`)
  const env = {
    ...{ XDG_CONFIG_HOME: '', XDG_STATE_HOME: '', XDG_CACHE_HOME: '' },
    NODE_OPTIONS: `--require=${withoutHome}`,
  }
  return new Thru(args, { env }).ended
}

it('says its version', async () => {
  expect(await run('--version')).toMatchObject({
    ...{ exitCode: 0, stderr: '' },
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as unknown,
  })
})

it('refuses an invalid code as usual', async () => {
  const { exitCode, stderr } = await run('join', 'nonsense', '--yes')
  expect(exitCode).toBe(3)
  expect(stderr).not.toContain('    at ')
})
