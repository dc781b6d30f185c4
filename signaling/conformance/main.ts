/**
 * `npm run test:signaling -- [wss://HOST] [--json] [--floods] [--slow] [RULE...]`: checks any server against
 * docs/signaling.md, or this project's own server without an address.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { localServer } from './local-server.ts'
import { run, type Verdict } from './run.ts'

const usage = `npm run test:signaling -- [URL] [RULE...] [options]

Checks the signaling server at URL (wss://HOST or ws://HOST:PORT) against docs/signaling.md, or without one the
server of this checkout. RULE is a section or a rule: host, relay-3.

  --json          one object with all verdicts, in place of lines
  --floods        also the limits by address: what this address may do is used up for a minute; and the limits of
                  what waits for clients that read nothing, with some megabytes
  --slow          also deadlines of 10 to 90 s
  --timeout MS    how long an answer may take (5000)
  --server-password-file FILE
                  a file with the password of a server that asks for one`

const marks = {
  passed: 'passed     ',
  failed: 'FAILED     ',
  skipped: 'skipped',
} as const

function line(verdict: Verdict): string {
  const first = `${marks[verdict.result]}  ${verdict.rule.padEnd(13)} ${verdict.says}`
  if (verdict.result === 'failed') {
    return `${first}\n             expected ${verdict.expected}\n             got ${verdict.got}`
  }
  return verdict.result === 'passed' ? first : `${first} (${verdict.reason})`
}

function summary(verdicts: readonly Verdict[]): string {
  const count = (result: Verdict['result']) =>
    verdicts.filter((verdict) => verdict.result === result).length
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`
}

const firstLine = (file: string): string => readFileSync(file, 'utf8').split(/\r?\n/, 1)[0] ?? ''

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      floods: { type: 'boolean', default: false },
      slow: { type: 'boolean', default: false },
      timeout: { type: 'string', default: '5000' },
      'server-password-file': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const patienceMs = Number(values.timeout)
  const passwordFile = values['server-password-file']
  if (values.help || !(patienceMs > 0)) {
    console.log(usage)
    return values.help ? 0 : 2
  }
  const isUrl = (text: string) => /^wss?:\/\//.test(text)
  const given = positionals.find(isUrl)
  const own = given === undefined ? await localServer() : null
  const url = given ?? own?.url ?? ''
  try {
    if (!values.json) console.log(`Checking ${url} against docs/signaling.md\n`)
    const verdicts = await run(url, {
      patienceMs,
      password: passwordFile === undefined ? undefined : firstLine(passwordFile),
      allowances: own?.allowances,
      withFloods: values.floods,
      withSlow: values.slow,
      only: positionals.filter((text) => !isUrl(text)),
      onVerdict: (verdict) => {
        if (!values.json) console.log(line(verdict))
      },
    })
    if (values.json) console.log(JSON.stringify({ url, verdicts }, null, 2))
    else console.log(`\n${summary(verdicts)}`)
    if (verdicts.length === 0) return 2
    return verdicts.some(({ result }) => result === 'failed') ? 1 : 0
  } finally {
    await own?.close()
  }
}

main(process.argv.slice(2)).then(
  (status) => (process.exitCode = status),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 2
  },
)
