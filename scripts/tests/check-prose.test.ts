import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkProse } from '../check-prose.mjs'
import { root } from '../lib/cache.mjs'
import { areas, subjectProblems } from '../prose/rules.mjs'

const longSentence = `The sender ${'sends a file and then '.repeat(6)}closes the stream.`

describe('prose that docs/writing.md rejects is reported with its line', () => {
  it.each([
    ['client/client.ts', 'const a = 1\n// What comes is read in runs.\n', 2, 'begins with "What"'],
    ['client/client.ts', '/**\n * Of several.\n */\n', 2, 'begins with "Of"'],
    ['native/src/net/socket.h', 'int a; // As listeners know.\n', 1, 'begins with "As"'],
    ['native/src/net/socket.h', '/// Sent until nobody\n/// listens.\n', 1, '"nobody"'],
    ['native/src/net/socket.cc', '\n// The peer is told of it.\n', 2, '"told of"'],
    ['renderer/app.css', '/* The button stands in the middle. */\n', 1, '"stands in"'],
    ['scripts/deps/install.sh', '# Asks for so many packages.\n', 1, '"so many"'],
    ['docs/paths.md', '# Paths\n\nThe relay is used from now on.\n', 3, '"from now on"'],
    ['docs/paths.md', `First.\n\n${longSentence}\n`, 3, 'in one sentence'],
    ['docs/paths.md', '| a |\n| --- |\n| The size is to be checked. |\n', 3, '"is to be"'],
    ['cli/text/help.ts', "const a = {\n  b: 'it stands in the list',\n}\n", 2, '"stands in"'],
  ])('%s: %j', async (path, text, line, message) => {
    const problems = await checkProse(path, text)
    expect(problems).toContainEqual(expect.stringContaining(`${path}:${line}: `))
    expect(problems).toContainEqual(expect.stringContaining(message))
  })
})

it.each([
  [
    'client/client.ts',
    '// Returns the size, in bytes; 0 if there is none.\nconst text = "nobody"\n',
  ],
  ['client/client.ts', '/** By default, the file is kept. @param size `from now on` */\n'],
  [
    'native/src/net/socket.h',
    '#include <from.h>\n/// Checks the size: an address,\n/// a port, a name.\n',
  ],
  ['docs/paths.md', 'What does it cost?\n\n```sh\nnobody\n```\n'],
  ['cli/text/help.ts', "import a from 'somebody'\n"],
])('prose that follows the rules is not reported: %s: %j', async (path, text) => {
  expect(await checkProse(path, text)).toEqual([])
})

it('accepts an exception with a reason, and no other', async () => {
  const of = (exception: string) =>
    checkProse('client/client.ts', `// prose-ok: ${exception}\n// Nobody answers.\n`)
  expect(await of('the name of a song')).toEqual([])
  expect(await of('')).toHaveLength(1)
})

describe('the subject of a commit', () => {
  it.each(['quic: reduce the delay of acknowledgements', 'Merge branch "main"'])(
    'is accepted: %s',
    (subject) => expect(subjectProblems(subject)).toEqual([]),
  )

  it.each([
    ['Reduce the delay', 'area: imperative'],
    ['things: reduce the delay', '"things" is not an area'],
    [`quic: ${'reduce '.repeat(10)}`, 'characters, at most 72'],
    ['path: let nobody wait whom no descriptor is left for', '"nobody"'],
  ])('is rejected: %s', (subject, message) =>
    expect(subjectProblems(subject).join(' ')).toContain(message),
  )

  it('has an area for each folder of the engine', () => {
    expect(areas).toEqual(expect.arrayContaining(readdirSync(join(root, 'native', 'src'))))
  })
})
