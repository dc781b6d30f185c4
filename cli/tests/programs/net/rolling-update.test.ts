/**
 * A rolling update of a service by `signaling/deploy/update.sh`, which no client notices.
 *
 * @module-tag full
 */
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  deploy,
  DeployedService,
  isUndeployable,
  names,
} from '../../../../signaling/tests/programs/deployed-service.ts'
import { codeOf, programRig } from '../program-rig'
import { hashTree, writeTree } from '../tree'

const { at, start } = programRig('rolling-update')

/** Replaces Docker: prints the requested action on a node, and waits until the test has done it. */
const docker = `#!/bin/sh
case "$*" in
'compose up -d --no-deps signaling-'*) echo "replace \${5##*-}"; read -r done ;;
esac
`

describe.skipIf(isUndeployable())('both nodes of a service are replaced', () => {
  it('while shares wait, clients pair and a transfer runs, without losses or refusals', async () => {
    const service = await DeployedService.open()
    onTestFinished(() => service.close())
    const { network } = service
    // Connects two namespaces of this computer as if they were separate computers.
    const way = [
      'link add name here type veth peer name there',
      'addr add 198.51.100.1/24 dev here',
    ]
    network.run(
      'ip',
      ['-batch', '-'],
      [...way, 'link set here up', 'link set there up', ''].join('\n'),
    )
    const thru = (args: readonly string[], within: readonly string[] = []) =>
      start([...args, '--server-url', `wss://${names.service}`, '--json'], {
        env: { NODE_EXTRA_CA_CERTS: service.authority },
        within: [...network.entrance, ...within],
        holdsInput: true,
      })
    const receive = async (code: string, folder: string) =>
      (await thru(['join', code, '--out', at(folder), '--yes']).ended).exitCode

    writeTree(at('src'), { 'notes.txt': 'remember' })
    const shares = [0, 1].map(() => thru(['host', at('src')]))
    const codes = await Promise.all(shares.map(codeOf))

    // A transfer that lasts as long as the test types.
    const stream = thru(['host', '-', '--as', 'words.txt'])
    const running = thru(['join', await codeOf(stream), '--out', at('stream'), '--yes'])
    await running.line('accepted')
    let words = ''
    const type = (text: string): void => {
      words += text
      stream.type(text)
    }
    type('before\n')

    const replaced: number[] = []
    let isOver = false
    const pairings: (number | undefined)[] = []
    const pairOnAndOn = async (): Promise<void> => {
      while (!isOver) {
        const host = thru(['host', at('src', 'notes.txt')])
        pairings.push(await receive(await codeOf(host), `pairing-${pairings.length}`))
        await host.stop()
      }
    }
    const pairing = pairOnAndOn()

    mkdirSync(at('bin'))
    writeFileSync(at('bin', 'docker'), docker, { mode: 0o755 })
    const [command = '', ...inside] = network.entrance
    const update = spawn(command, [...inside, join(deploy, 'update.sh')], {
      env: { ...process.env, PATH: `${at('bin')}:${process.env['PATH'] ?? ''}` },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    onTestFinished(() => void update.kill())
    for await (const line of createInterface(update.stdout)) {
      const number = Number(/^replace (\d)$/.exec(line)?.[1])
      const { status, log } = await service.endNode(number)
      expect(status).toBe(0)
      expect(log).toContain('"event":"draining"')
      type(`without node ${number}\n`)
      await service.startNode(number)
      replaced.push(number)
      update.stdin.write('\n')
    }
    expect(replaced).toEqual([1, 2])
    isOver = true
    await pairing
    expect(pairings.length).toBeGreaterThan(0)
    expect(pairings.filter((status) => status !== 0)).toEqual([])

    for (const [index, code] of codes.entries()) {
      expect(await receive(code, `share-${index}`)).toBe(0)
      expect(hashTree(at(`share-${index}`, 'src'))).toEqual(hashTree(at('src')))
    }
    type('after\n')
    stream.endInput()
    expect((await running.ended).exitCode).toBe(0)
    writeTree(at('wanted'), { 'words.txt': words })
    expect(hashTree(at('stream'))).toEqual(hashTree(at('wanted')))
  }, 300_000)
})
