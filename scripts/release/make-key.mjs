#!/usr/bin/env node
// make-key.mjs FILE: makes an Ed25519 key that signs updates, for the computer that is never online. FILE gets the private
// key, encrypted with THRU_KEY_PASSPHRASE if that is set; the public key, for resources/update-keys.json, is printed.
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { Failure, isMain, runMain } from '../lib/failure.mjs'
import { signerOf } from './signing.mjs'

/**
 * Makes a key in a new file, for this account only.
 * @param {string} path
 * @param {string} [passphrase]
 */
export function makeKey(path, passphrase) {
  const { privateKey } = generateKeyPairSync('ed25519')
  const form = { format: 'pem', type: 'pkcs8' }
  const pem = privateKey.export(passphrase ? { ...form, cipher: 'aes-256-cbc', passphrase } : form)
  try {
    writeFileSync(path, pem, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw new Failure(`${path} can't be made: ${error.message}`)
  }
  return signerOf(privateKey)
}

if (isMain(import.meta.url)) {
  runMain(async () => {
    const [path, ...more] = process.argv.slice(2)
    if (path === undefined || more.length > 0) throw new Failure('Usage: make-key.mjs FILE')
    const passphrase = process.env.THRU_KEY_PASSPHRASE
    const { id, publicKey } = makeKey(path, passphrase)
    console.log(`key ${id}\npublic ${publicKey}`)
    if (!passphrase) console.error('The key is not encrypted: set THRU_KEY_PASSPHRASE for that.')
  })
}
