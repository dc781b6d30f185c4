import { expect, it } from 'vitest'
import { pageSize } from '../lib/page-size.mjs'

const chunk = (fileName: string, code: string, more: object = {}) => ({
  ...{ type: 'chunk', fileName, code, imports: [], isEntry: false, facadeModuleId: null },
  ...more,
})

it('counts each script before the first picture once', () => {
  const output = [
    chunk('index.js', '1', { isEntry: true, imports: ['shared.js'] }),
    chunk('app.js', '22', { facadeModuleId: '/x/renderer/start-app.tsx', imports: ['shared.js'] }),
    chunk('shared.js', '333', { imports: ['index.js'] }),
    chunk('settings.js', '4444'),
    { type: 'asset', fileName: 'inter.woff2' },
  ]
  expect(pageSize(output)).toEqual({ first: 6, all: 10 })
})
