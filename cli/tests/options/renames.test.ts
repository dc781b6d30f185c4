import { describe, expect, it } from 'vitest'
import type { Item, ItemKind } from '#shared/state/app-state'
import { checkRenames, readRenames } from '../../options/renames'

const item = (name: string, kind: ItemKind = 'file'): Item => ({
  ...{ id: 0, name, kind },
  ...{ files: 1, bytes: 1 },
})

const renames = (given: readonly string[], ...names: readonly string[]) =>
  readRenames(
    given,
    names.map((name) => item(name)),
  )

const bad = (detail: string) => ({
  ok: false,
  error: {
    ...{ code: 'E_BAD_ARGUMENT', subject: '--rename' },
    detail: expect.stringContaining(detail) as unknown,
  },
})

describe('--rename', () => {
  it('names an item and its new name', () => {
    expect(renames(['a=b', 'docs=my papers'], 'a', 'docs')).toEqual({
      ok: true,
      value: [
        { item: 'a', name: 'b' },
        { item: 'docs', name: 'my papers' },
      ],
    })
    expect(renames(['a=b', 'b=a'], 'a', 'b')).toMatchObject({ ok: true })
    expect(renames(['a=a'], 'a')).toEqual({ ok: true, value: [] })
  })

  it('needs no old name if there is one item, whatever texts come with it', () => {
    expect(renames(['b'], 'a')).toEqual({ ok: true, value: [{ item: 'a', name: 'b' }] })
    expect(readRenames(['b'], [item('Text', 'text'), item('a')])).toMatchObject({ ok: true })
    expect(renames(['b'], 'a', 'c')).toMatchObject(bad('2 items'))
  })

  it('finds the item if names contain =', () => {
    expect(renames(['a=1=b'], 'a=1', 'a')).toMatchObject({ value: [{ item: 'a=1', name: 'b' }] })
    expect(renames(['a=1=b'], 'a')).toMatchObject({ value: [{ item: 'a', name: '1=b' }] })
    expect(renames(['x=b'], 'a')).toMatchObject(bad('no item "x"'))
    expect(renames(['a=b='], 'a')).toMatchObject({ value: [{ item: 'a', name: 'b=' }] })
    expect(renames(['=a=b'], '=a')).toMatchObject({ value: [{ item: '=a', name: 'b' }] })
    expect(renames(['a=b='], 'a=b')).toMatchObject(bad('is empty'))
  })

  it('fails if the offer has only texts', () => {
    for (const given of ['b', 'Text=b']) {
      expect(readRenames([given], [item('Text', 'text')]), given).toMatchObject(bad('only text'))
    }
  })

  it('looks for no item among those that are not listed', () => {
    const many = Array.from({ length: 1000 }, (_, index) => `file ${index.toString()}`)
    expect(renames(['x=b=c'], ...many)).toMatchObject({ value: [{ item: 'x', name: 'b=c' }] })
  })

  it('gives no name to two items', () => {
    expect(renames(['a=b'], 'a', 'b')).toMatchObject(bad('Two items'))
    expect(renames(['a=c', 'b=c'], 'a', 'b')).toMatchObject(bad('Two items'))
    expect(renames(['a=b', 'a=c'], 'a')).toMatchObject(bad('twice'))
  })

  it('refuses before the offer what is no name', () => {
    expect(checkRenames(['a=b', 'new', `x=${'a'.repeat(255)}`])).toBeNull()
    expect(checkRenames(['a=b=', '=a=b', 'a=b=..'])).toBeNull()
    const refused = ['', 'a=', '=b', '=', 'a=..', '.', '../b', 'a=b/c', 'a/b=c', 'a=b/c=']
    for (const given of [...refused, `a=${'é'.repeat(128)}`]) {
      expect(checkRenames([given]), given).toMatchObject({ code: 'E_BAD_ARGUMENT' })
    }
    expect(checkRenames(Array<string>(1001).fill('a=b'))).toMatchObject({ code: 'E_BAD_ARGUMENT' })
  })
})
