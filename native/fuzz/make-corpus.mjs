#!/usr/bin/env node
// make-corpus.mjs <folder>: seeds for the fuzzers, one file for each vector of docs/vectors.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const decoders = {
  control: 'control',
  manifest: 'manifest',
  segment: 'segment',
  pairing: 'pairing_payload',
  cpace: 'cpace_share',
  'join-code': 'text',
}

const seedsOf = ({ bytes, element, text, payloads = [] }) => [
  ...[bytes, element].filter((hex) => hex !== undefined).map((hex) => Buffer.from(hex, 'hex')),
  ...(text === undefined ? [] : [Buffer.from(text)]),
  ...payloads.map((payload) => Buffer.from(payload, 'base64url')),
]

const [, , folder] = process.argv
if (folder === undefined) throw new Error('usage: make-corpus.mjs <folder>')
for (const [file, decoder] of Object.entries(decoders)) {
  const url = new URL(`../../docs/vectors/${file}.json`, import.meta.url)
  const seeds = JSON.parse(readFileSync(url, 'utf8')).vectors.flatMap(seedsOf)
  mkdirSync(join(folder, decoder), { recursive: true })
  seeds.forEach((seed, index) => writeFileSync(join(folder, decoder, String(index)), seed))
}
