// A Nostr relay in Rust, against which public meeting points are tested: part of the Python package nostr-sdk, which is
// unpacked into the cache folder.
import { existsSync } from 'node:fs'
import { Failure } from '../lib/failure.mjs'
import { homeOf, pythonTool } from './python-tools.mjs'

const name = 'nostr-sdk'
const config = {
  pythonTools: {
    [name]: {
      version: '0.45.1',
      sha256: {
        'nostr_sdk-0.45.1-cp39-abi3-manylinux_2_17_x86_64.whl':
          '5e051a662fac81aa2e15e8221915a0ee4c38791fe6284bc286c5f4cc769cc22e',
      },
    },
  },
}

/**
 * The package's folder, for PYTHONPATH; `null` if it was not fetched.
 * @returns {string | null}
 */
export function fetchedNostrRelay() {
  const home = homeOf(config, name)
  return existsSync(home) ? home : null
}

/** Fetches it. If that fails, prints what is skipped. */
export async function offerNostrRelay() {
  try {
    await pythonTool(config, name)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    console.log("  Tests with a second Nostr relay are skipped: it couldn't be downloaded.")
  }
}
