#!/usr/bin/env node
// make-corpus.mjs <folder>: writes seeds for the fuzzers: one file for each vector of docs/vectors, and server messages of other protocols (RFC 6455, 8489, 8656, 9110, 1928).
import { createHmac } from 'node:crypto'
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

const hex = (text) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const signed = (type, attributes) => {
  const length = (attributes.length + 36).toString(16).padStart(4, '0')
  const message = Buffer.concat([
    hex(`${type} ${length} 2112a442 010203000000000000000000`),
    attributes,
  ])
  const tag = createHmac('sha256', '0123456789abcdefghijklmn').update(message).digest()
  return Buffer.concat([message, hex('001c 0020'), tag])
}
const examples = {
  web_socket: [
    hex('82 04 64617461'),
    hex('02 05 626567756e 80 05 656e646564 82 00'),
    hex('89 04 70696e67 88 02 03e8'),
    Buffer.concat([hex('82 7e 012c'), Buffer.alloc(300)]),
  ],
  relay_frames: [
    hex('0104 0000 2112a442 000000000000000000000000'),
    hex('0003 0008 2112a442 000000000000000000000000 0006 0004 75736572'),
    hex('4000 0005 4545454545 000000 4000 0000'),
  ],
  stun: [
    signed('0001', Buffer.concat([hex('0006 0009'), Buffer.from('mina:dana'), Buffer.alloc(3)])),
    signed('0101', Buffer.alloc(0)),
  ],
  proxy_answer: [
    Buffer.from('\0HTTP/1.1 200 Connected\r\nVia: 1.1 proxy\r\n\r\nleft over'),
    Buffer.from('\x02HTTP/1.0 407 Who are you\r\n\r\n'),
    hex('01 0500 05000001 c0000207 1f90 2a'),
    hex('03 0502 0100 05000003 04 686f7374 1f90'),
  ],
}
for (const [decoder, seeds] of Object.entries(examples)) {
  mkdirSync(join(folder, decoder), { recursive: true })
  seeds.forEach((seed, index) => writeFileSync(join(folder, decoder, String(index)), seed))
}
