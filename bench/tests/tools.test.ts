import { describe, expect, it } from 'vitest'
import { isInstalled, tools } from '../lab/tools/tools.mjs'

interface Lab {
  readonly source: string
  readonly out: string
  readonly work: string
  readonly code: string
  readonly isTree: boolean
  readonly address: (place: string) => string
}
interface Tool {
  readonly name: string
  readonly about: string
  readonly install?: string
  readonly needs: readonly string[]
  readonly code?: RegExp
  readonly send?: (lab: Lab) => readonly string[]
  readonly receive?: (lab: Lab) => readonly string[]
}
const all = tools as readonly Tool[]
const adapter = (name: string) => all.find((tool) => tool.name === name)!

const lab = {
  source: '/memory/source.bin',
  out: '/memory/out',
  work: '/memory/lab',
  code: '7-a-b-c',
  isTree: false,
  address: (place: string) => `${place}.test`,
}

describe('adapters of tools', () => {
  it('have names of their own, and say how to install what they need', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
    for (const tool of all) {
      expect(tool.about).not.toBe('')
      if (tool.needs.length > 0) expect(tool.install).toMatch(/^(apt-get|pip|go) install /)
    }
  })

  it.each(all.map((tool) => [tool.name, tool] as const))(
    '%s has commands of text alone',
    (_, tool) => {
      const commands = [tool.send, tool.receive].flatMap((command) =>
        command ? [command(lab)] : [],
      )
      expect(commands).not.toEqual([])
      for (const word of commands.flat()) expect(word).toBeTypeOf('string')
    },
  )

  it.each([
    ['thru', '{"type":"code","code":"1234-apple-kayak-onion"}', '1234-apple-kayak-onion'],
    ['croc', 'CROC_SECRET="1234-some-words" croc', '1234-some-words'],
    ['wormhole', 'Wormhole code is: 7-crossover-clockwork', '7-crossover-clockwork'],
  ])("%s finds the code in its sender's output", (name, said, code) => {
    expect(adapter(name).code?.exec(said)?.slice(1).find(Boolean)).toBe(code)
  })

  it('reports missing programs', () => {
    expect(isInstalled({ needs: [] })).toBe(true)
    expect(isInstalled({ needs: ['no-such-program'] })).toBe(false)
  })
})
