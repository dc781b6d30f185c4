import { describe, expect, it } from 'vitest'
import { packageOf, packagesOfOutput } from '../lib/bundled-packages.mjs'

describe('the package of a module', () => {
  it.each([
    ['node_modules/ws/lib/sender.js', 'node_modules/ws'],
    [
      '/home/a/node_modules/@radix-ui/react-slot/dist/index.mjs',
      'node_modules/@radix-ui/react-slot',
    ],
    ['C:\\a\\node_modules\\zod\\index.js', 'node_modules/zod'],
    ['../node_modules/react/index.js?commonjs-module', 'node_modules/react'],
    ['\0/a/node_modules/react/index.js', 'node_modules/react'],
    ['node_modules/a/node_modules/b/index.js', 'node_modules/a/node_modules/b'],
  ])('%s is in %s', (module, place) => {
    expect(packageOf(module)).toBe(place)
  })

  it.each(['client/client.ts', '\0vite/preload-helper.js', '/x/my_node_modules/a/b.js'])(
    '%s is in none',
    (module) => {
      expect(packageOf(module)).toBeUndefined()
    },
  )
})

it('an output contains the packages of its scripts and of its files', () => {
  expect(
    packagesOfOutput([
      { type: 'chunk', moduleIds: ['/a/node_modules/react/index.js', '/a/renderer/app.tsx'] },
      { type: 'asset', originalFileNames: ['../node_modules/@fontsource-variable/inter/a.woff2'] },
    ]),
  ).toEqual(['node_modules/@fontsource-variable/inter', 'node_modules/react'])
})
