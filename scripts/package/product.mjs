// Facts about the product for packages.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../lib/cache.mjs'

const json = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/**
 * build/product.json with package.json's version and description. Publishers must replace its `.invalid` addresses.
 * @type {Record<'id' | 'name' | 'homepage' | 'screenshots' | 'maintainer' | 'version' | 'description', string>}
 */
export const product = {
  ...json('build/product.json'),
  version: json('package.json').version,
  description: json('package.json').description,
}
