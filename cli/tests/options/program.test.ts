import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import { completionScript } from '../../options/completion'
import { manualPage } from '../../options/manual'
import { type Handlers, makeProgram } from '../../options/program'
import { withReference } from '../reference'

const docs = fileURLToPath(new URL('../../../docs/cli.md', import.meta.url))

function rig() {
  const handlers = {
    host: vi.fn(() => Promise.resolve()),
    join: vi.fn(() => Promise.resolve()),
    request: vi.fn(() => Promise.resolve()),
    resume: vi.fn(() => Promise.resolve()),
    listen: vi.fn(() => Promise.resolve()),
    nearby: vi.fn(() => Promise.resolve()),
    contacts: vi.fn(() => Promise.resolve()),
    config: vi.fn(() => Promise.resolve()),
    history: vi.fn(() => Promise.resolve()),
    doctor: vi.fn(() => Promise.resolve()),
    serve: vi.fn(() => Promise.resolve()),
    completion: vi.fn(),
    man: vi.fn(),
    licenses: vi.fn(() => Promise.resolve()),
  } satisfies Handlers
  const thru = makeProgram(handlers, '1.2.3')
  const said: string[] = []
  const write = (line: string): void => void said.push(line)
  for (const one of [thru, ...thru.commands]) {
    one.configureOutput({ writeOut: write, writeErr: write })
  }
  const run = (line: string) => thru.parseAsync(line.split(' '), { from: 'user' })
  return { handlers, thru, said, run }
}

describe('the command line', () => {
  it.each(['host', 'send'])('offers with %s', async (name) => {
    const { handlers, run } = rig()
    await run(`${name} a b --expires 10m`)
    const [paths, options] = handlers.host.mock.calls[0] as unknown as [unknown, unknown]
    expect(paths).toEqual(['a', 'b'])
    expect(options).toMatchObject({ expires: '10m' })
  })

  it('takes several servers, from options or the variable', async () => {
    const { handlers, run } = rig()
    const serversOf = ({ host }: ReturnType<typeof rig>['handlers']): unknown =>
      (host.mock.calls[0] as unknown as [unknown, { serverUrl?: string }])[1].serverUrl
    await run('host a --server-url ws://one --server-url ws://two')
    vi.stubEnv('THRU_SERVER_URL', 'ws://three ws://four')
    onTestFinished(() => void vi.unstubAllEnvs())
    const other = rig()
    await other.run('host a')
    expect([serversOf(handlers), serversOf(other.handlers)]).toEqual([
      'ws://one ws://two',
      'ws://three ws://four',
    ])
  })

  it.each(['join', 'receive'])('receives with %s, into a folder behind the code', async (name) => {
    const { handlers, run } = rig()
    await run(`${name} CODE ./in --only *.jpg --only b`)
    const [code, folder, options] = handlers.join.mock.calls[0] as unknown as unknown[]
    expect([code, folder]).toEqual(['CODE', './in'])
    expect(options).toMatchObject({ only: ['*.jpg', 'b'] })
  })

  it('reads and changes settings, with --json at either place', async () => {
    const { handlers, run } = rig()
    await run('config')
    await run('config set general.name desk --json')
    await run('config --json unset general.name')
    expect(handlers.config.mock.calls).toEqual([
      [{ kind: 'list' }, {}],
      [{ kind: 'set', key: 'general.name', value: 'desk' }, { json: true }],
      [{ kind: 'unset', key: 'general.name' }, { json: true }],
    ])
  })

  it('suggests a command for a typing error', async () => {
    const { said, run } = rig()
    await expect(run('jion CODE')).rejects.toThrow()
    expect(said.join('')).toMatch(
      /^thru: unknown command 'jion'\n.*Did you mean join\?.*\nIt isn't an existing path or a join code/,
    )
  })

  it('has headings and examples in its help', () => {
    const { thru } = rig()
    const join = thru.commands.find((command) => command.name() === 'join')
    const said: string[] = []
    join?.configureOutput({ writeOut: (line) => void said.push(line) }).outputHelp()
    for (const part of ['What to receive:', 'Connection:', 'Examples:', 'THRU_CODE'])
      expect(said.join('')).toContain(part)
  })
})

it('docs/cli.md matches the program; "vitest -u" updates it', async () => {
  const { thru } = rig()
  await expect(withReference(readFileSync(docs, 'utf8'), thru)).toMatchFileSnapshot(docs)
})

describe('completion', () => {
  const { thru } = rig()
  /** Bash's completions for the last of `words`. */
  const completed = (...words: readonly string[]): readonly string[] => {
    const ask = `${completionScript('bash', thru)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_thru; printf '%s\\n' "\${COMPREPLY[@]}"`
    const answer = execFileSync('bash', ['-c', ask], { encoding: 'utf8' })
    return answer.split('\n').filter((line) => line !== '')
  }

  it.skipIf(process.platform === 'win32')('of bash knows commands, options and values', () => {
    expect(completed('thru', 'ho')).toEqual(['host'])
    expect(completed('thru', 'receive', '--saf')).toEqual(['--safety-number'])
    expect(completed('thru', 'serve', '--trust-p')).toEqual(['--trust-proxy'])
    expect(completed('thru', 'contacts', 're')).toEqual(['rename', 'remove'])
    expect(completed('thru', 'join', '--conflict', 'replace')).toEqual(['replace', 'replace-older'])
    expect(completed('thru', 'host', 'a', 'b')).toEqual([])
  })

  const has = (shell: string) => spawnSync(shell, ['--version']).error === undefined

  it.runIf(process.platform === 'linux' && has('script'))(
    'of bash quotes the names of folders, which a sender may have chosen',
    () => {
      const folder = folderOfTest()
      for (const name of ['a`id>ran`', 'b c', 'd\'e"f']) mkdirSync(join(folder, name))
      writeFileSync(join(folder, 'thru.bash'), completionScript('bash', thru))
      const typed = [
        'source thru.bash; thru() { printf "<%s>" "$@"; echo; }',
        ...['a', 'b', 'd'].map((begin) => `thru join x --out ${begin}\t`),
        'exit\n',
      ]
      // Keys have an effect only in a terminal, which `script` provides.
      const terminal = ['-qec', 'env TERM=dumb bash --norc --noprofile -i', '/dev/null']
      const input = typed.join('\n')
      const options = { cwd: folder, input, encoding: 'utf8', timeout: 60_000 } as const
      const answer = spawnSync('script', terminal, options).stdout
      const given = [...answer.matchAll(/^<join><x><--out><(.*)>\r?$/gm)].map(([, name]) => name)
      const left = readdirSync(folder)
      expect(given).toEqual(['a`id>ran`/', 'b c/', 'd\'e"f/'])
      expect(left).not.toContain('ran')
    },
  )

  it.runIf(has('zsh'))('of zsh works as an autoloaded function, even at its first use', () => {
    const folder = folderOfTest()
    writeFileSync(join(folder, '_thru'), completionScript('zsh', thru))
    const ask = `fpath=(${folder} $fpath); autoload -Uz compinit; compinit -u -d ${folder}/dump
_describe() { print -l -- $commands }; _arguments() { print -l -- "$@" }
print -- $_comps[thru]; words=(thru ''); CURRENT=2; _thru; words=(thru receive ''); CURRENT=3; _thru`
    const answer = execFileSync('zsh', ['-f', '-c', ask], { encoding: 'utf8' })
    expect(answer).toMatch(/^_thru\nhost:share files/)
    expect(answer).toContain('*--safety-number[')
  })

  it.runIf(has('fish'))('of fish knows commands, options and values', () => {
    const ask = (line: string) => {
      const script = `${completionScript('fish', thru)}\ncomplete -C '${line}'`
      return execFileSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' })
    }
    expect(ask('thru ho')).toMatch(/^host\tshare files/)
    expect(ask('thru receive --saf')).toMatch(/^--safety-number\t/)
    expect(ask('thru join --conflict replace-')).toMatch(/^replace-older/)
  })

  it.each(['zsh', 'fish', 'powershell'] as const)(
    'of %s names every option with its help',
    (shell) => {
      const script = completionScript(shell, thru)
      const all = thru.commands.flatMap(({ options }) => options)
      for (const { long } of all) expect(script).toContain((long ?? '').replace(/^--/, ''))
      expect(script).toContain('receive only matching files')
    },
  )
})

it('completion of PowerShell quotes every text and is ASCII for older versions', () => {
  const script = completionScript('powershell', rig().thru)
  expect(script).toMatch(/^[\x20-\x7e\n]*$/)
  for (const line of script.split('\n').filter((each) => each.includes("$words['")))
    expect(line).toMatch(/^ +\$words\['[^']+'\] = '(?:[^']|'')+'$/)
})

it('the manual has every command, option and exit code', () => {
  const { thru } = rig()
  const page = manualPage(thru).replaceAll('\\-', '-')
  expect(page).toMatch(/^\.TH THRU 1 /)
  for (const command of thru.commands) {
    expect(page).toContain(`.SS "thru ${command.name()} `)
    for (const { flags } of command.options) expect(page).toContain(`.B ${flags}\n`)
  }
  expect(page).toContain('.B 143\n')
})
