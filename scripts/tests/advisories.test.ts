import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { missedLimit } from '../deps/version.mjs'
import { root } from '../lib/cache.mjs'
import { askOsv, problemsOf, queriesOf } from '../release/advisories.mjs'

const list = {
  components: [
    { name: 'ws', version: '8.18.0', purl: 'pkg:npm/ws@8.18.0' },
    {
      ...{ name: 'zlib', version: '1.3.1', purl: 'pkg:generic/zlib@1.3.1' },
      externalReferences: [
        { type: 'source-distribution', url: 'zlib_1.3.dfsg+really1.3.1.orig.tar.gz' },
      ],
    },
    { name: 'eff-short-wordlist-2' },
  ],
}

/** A service that gives these answers one after the other, and keeps the questions. */
async function service(...answers: readonly object[]) {
  const asked: unknown[] = []
  const rest = [...answers]
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      asked.push(JSON.parse(text))
      const answer = rest.shift()
      response.writeHead(answer === undefined ? 503 : 200).end(JSON.stringify(answer ?? {}))
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

const ws = { package: { purl: 'pkg:npm/ws@8.18.0' } }
const zlib = { package: { ecosystem: 'Debian:13', name: 'zlib' }, version: '1.3.1' }

it('asks about npm packages and native sources, once each', () => {
  expect([...queriesOf([list, list])]).toEqual([
    ['ws 8.18.0', ws],
    ['zlib 1.3.1', zlib],
  ])
})

it('takes all pages of an answer', async () => {
  const { asked, url } = await service(
    { results: [{ vulns: [{ id: 'A' }], next_page_token: 'more' }, {}] },
    { results: [{ vulns: [{ id: 'B' }] }] },
  )
  expect([...(await askOsv(queriesOf([list]), url))]).toEqual([
    ['ws 8.18.0', ['A', 'B']],
    ['zlib 1.3.1', []],
  ])
  expect(asked).toEqual([{ queries: [ws, zlib] }, { queries: [{ ...ws, page_token: 'more' }] }])
})

it.each([
  ['none', []],
  ['part of one', [{ results: [{}] }]],
])('fails without a whole answer: when there is %s', async (_, answers) => {
  const { url } = await service(...answers)
  await expect(askOsv(queriesOf([list]), url)).rejects.toThrow('incomplete')
})

it('fails for an advisory without an accepted reason, and for a reason without an advisory', () => {
  const found = new Map([['ws 8.18.0', ['A', 'B']]])
  expect(problemsOf(found, { A: 'Not called.', B: 'Not called.' })).toEqual([])
  expect(problemsOf(found, { A: 'Not called.' })).toEqual([expect.stringContaining('ws 8.18.0: B')])
  expect(problemsOf(new Map(), { A: 'Not called.' })).toEqual([expect.stringContaining('any more')])
})

it('is asked every night about what a release would have', () => {
  const workflow = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8')
  expect(workflow).toContain('node scripts/release/advisories.mjs out/release/*.cdx.json')
})

it('no release has a libsodium without the fixes of 1.0.20', () => {
  const { targetDependencies } = JSON.parse(
    readFileSync(join(root, 'native/deps.json'), 'utf8'),
  ) as {
    readonly targetDependencies: {
      readonly libsodium: { readonly sha256: Readonly<Record<string, string>> }
    }
  }
  const versions = Object.keys(targetDependencies.libsodium.sha256).map(
    (file) => /_([\d.]+)\.orig/.exec(file)?.[1] ?? '',
  )
  expect(versions).not.toEqual([])
  for (const version of versions)
    expect(missedLimit(version, { minimum: '1.0.20', below: '2' })).toBeUndefined()
})
