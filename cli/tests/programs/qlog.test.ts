import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { codeOf, programRig } from './program-rig'
import { linesOf } from './thru'
import { writeTree } from './tree'

const { at, thru } = programRig('qlog')

/** A JSON text sequence (RFC 7464). */
const recordsOf = (path: string): readonly Record<string, unknown>[] =>
  readFileSync(path, 'utf8')
    .split('\u001e')
    .slice(1)
    .map((record) => JSON.parse(record) as Record<string, unknown>)

it('both ends write a log of their connection, and report its bottleneck', async () => {
  // A busy computer compresses what it can, and then sends few packets.
  writeTree(at('src'), { 'secret plan.bin': randomBytes(3_000_000) })
  const logs = at('logs')
  const log = ['--set', `advanced.qlogFolder=${logs}`]
  const sender = thru(['host', at('src', 'secret plan.bin'), '--json', ...log])
  const receiver = thru([
    ...['join', await codeOf(sender), '--out', at('dst'), '--yes', '--json', ...log],
  ])
  const { exitCode, stdout } = await receiver.ended
  expect(exitCode).toBe(0)
  await sender.line('done')
  const sent = linesOf((await sender.stop()).stdout)
  for (const lines of [sent, linesOf(stdout)]) {
    const last = lines.filter(({ type }) => type === 'statistics').at(-1)
    expect(last).toMatchObject({ qlog: { dropped: 0, ended: '' } })
    expect(Object.keys(last?.['limitedMs'] as object)).not.toEqual([])
  }
  const names = readdirSync(logs).sort()
  const id = /^([0-9a-f]{32})_client\.sqlog$/.exec(names[0] ?? '')?.[1] ?? ''
  expect(names).toEqual([`${id}_client.sqlog`, `${id}_server.sqlog`])
  for (const [name, end] of [
    [names[0], 'client'],
    [names[1], 'server'],
  ] as const) {
    const path = at('logs', name ?? '')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const [first, ...rest] = recordsOf(path)
    expect(first).toMatchObject({
      qlog_format: 'JSON-SEQ',
      trace: { vantage_point: { type: end }, common_fields: { group_id: id } },
    })
    expect(rest.length).toBeGreaterThan(100)
    expect(readFileSync(path, 'utf8')).not.toMatch(/secret|plan|127\.0\.0\.1/)
  }
})
