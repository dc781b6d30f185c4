import { resolve } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { absoluteItems, titleOf } from '#client/session/share/source-paths'
import { loadSharedText } from '#shared/text/load'

afterEach(() => loadSharedText('en'))

it('makes paths absolute and unique', () => {
  const text = { kind: 'text', text: 'hi', name: 'Note' } as const
  const path = (name: string) => ({ kind: 'path', path: name }) as const
  expect(absoluteItems([path('a'), text, path('./a/'), path('/b/../c'), text])).toEqual([
    path(resolve('a')),
    text,
    path('/c'),
    text,
  ])
})

it('uses the name of a single item, and the number of several, in the current language', async () => {
  const named = (...names: readonly string[]) =>
    names.map((name) => ({ kind: 'path', name }) as const)
  expect(titleOf(named('/home/mina/video'))).toBe('video')
  expect(titleOf(named('/a', '/b', '/c'))).toBe('3 items')
  expect(titleOf(named('/'))).toBe('/')
  await loadSharedText('ko')
  expect(titleOf(named('/a', '/b', '/c'))).toBe('항목 3개')
})

it('gives every text the same title', async () => {
  const secret = { kind: 'text', name: 'Wifi password hunter2' } as const
  expect(titleOf([secret])).toBe('Text')
  expect(titleOf([secret, secret])).toBe('2 items')
  await loadSharedText('ko')
  expect(titleOf([secret])).toBe('텍스트')
})
