// What packages say about the product as a whole.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../lib/cache.mjs'

const json = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/**
 * Facts of build/product.json with the version and description of package.json. Addresses under `.invalid` are
 * places to fill in for whoever publishes; nothing is to be released with them.
 * @type {Record<'id' | 'name' | 'homepage' | 'screenshots' | 'maintainer' | 'version' | 'description', string>}
 */
export const product = {
  ...json('build/product.json'),
  version: json('package.json').version,
  description: json('package.json').description,
}
