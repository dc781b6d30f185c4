import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const folder = new URL('../styles/', import.meta.url)

/** A box centered in its parent looks the same in both directions. */
const centered = /^\s*left: 50%;$/

const oneSided =
  /(^|[^-\w])((margin|padding|border)-)?(left|right)(-[a-z]+)*:|text-align: (left|right)/

it.each(readdirSync(folder).filter((name) => name.endsWith('.css') && name !== 'directions.css'))(
  '%s says start and end instead of left and right',
  (name) => {
    const lines = readFileSync(new URL(name, folder), 'utf8').split('\n')
    expect(lines.filter((line) => oneSided.test(line) && !centered.test(line))).toEqual([])
  },
)
