// Facts about the product for packages.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../lib/cache.mjs'

const json = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/**
 * build/product.json with the version and description of package.json. Publishers must replace addresses under
 * `.invalid` before a release.
 * @type {Record<'id' | 'name' | 'homepage' | 'screenshots' | 'maintainer' | 'version' | 'description', string>}
 */
export const product = {
  ...json('build/product.json'),
  version: json('package.json').version,
  description: json('package.json').description,
}
