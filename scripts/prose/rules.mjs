// The rules of docs/writing.md that a machine can check, each on the text of one paragraph, heading or table cell.

/** Words for people: fine in texts, where people are meant; in comments and documents mostly programs are. */
const people = [
  [/\b(nobody|somebody|whoever|whomever)\b/gi, 'name the person or the program'],
  [/\b(as whoever|by whom|to whom|of whom)\b/gi, 'name the person or the program'],
]

/** Phrases with the reason why they are rejected. */
const phrases = [
  [/\bso (much|many)\b(?! (that|as|more|less|fewer|traffic)\b)/gi, 'give the number or the noun'],
  [/\bfor so long\b/gi, 'give the time'],
  [/\bno more than that\b/gi, 'name the limit'],
  [/\bfrom now on\b/gi, 'leave it out'],
  [/(?<!\bthere )\b(is|are|was|were) none\b/gi, 'write "there is no ..."'],
  [/\bbeside\b/gi, 'write "next to", "alongside" or "except"'],
  [/\bstands? in (?!for\b)/gi, 'write "is in"'],
  [/\b(is|are|was|were) to be\b/gi, 'write "must" or name who does it'],
  [/\b(told|tells?|hears?|heard) of\b/gi, 'write "report", "send", "receive" or "learn"'],
  [
    /\b(goes|go|went|going) on(?= (with|by|as|in|for|to|until|and)\b|[.,;:])/gi,
    'write "continues"',
  ],
  [/\bup to now\b|\bas it were\b|\bat all events\b/gi, 'leave it out'],
  [/\b(of|for|by|from|with|than|after|before|until|about|to) what (?!if\b)/gi, 'name the thing'],
  [/\bhas it that\b|\bis asked for by\b|\bof no use\b/gi, 'use a plain verb'],
]

/** First words of fragments and of clauses without a noun. */
const riddles = /^(What|How|Why|Whether|Who|Whom|Whose|Which|Whoever|Whatever)\b/
/** First words of fragments, which may also begin a clause that a comma ends. */
const fronted = /^(As|Where|Of|By|For|Those|That|From|With)\b/

const maxWords = 25

const wordsOf = (clause) =>
  clause.split(/[\s/]+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length

/** Clauses of a sentence: parentheses, and what a semicolon or a colon separates; a list after a colon is as long as its items. */
function clausesOf(sentence) {
  const inner = [...sentence.matchAll(/\(([^()]*)\)/g)].map(([, text]) => text)
  const [head, ...lists] = sentence.replace(/\([^()]*\)/g, '').split(/:\s/)
  return [...inner, head, ...lists.flatMap((list) => list.split(/,\s/))].flatMap((each) =>
    each.split(/;\s/),
  )
}

const sentences = /\S.*?(?:(?<!\b(?:e\.g|i\.e|etc|vs|cf))[.!?]["')\]]*(?=\s)|$)/gs

const sentencesOf = (text) =>
  [...text.matchAll(sentences)].map(({ 0: sentence, index }) => ({ sentence, index }))

function* rejected(patterns, text) {
  for (const [pattern, advice] of patterns)
    for (const { index, 0: found } of text.matchAll(pattern))
      yield [index, `"${found.trim()}": ${advice}`]
}

function* longSentences(text) {
  for (const { sentence, index } of sentencesOf(text)) {
    const words = Math.max(...clausesOf(sentence).map(wordsOf))
    if (words > maxWords)
      yield [index, `${words} words in one sentence, at most ${maxWords}: split it`]
  }
}

function* fragments(text) {
  const [first] = sentencesOf(text)
  if (!first || first.sentence.endsWith('?')) return
  const word =
    riddles.exec(first.sentence) ??
    (first.sentence.includes(',') ? undefined : fronted.exec(first.sentence))
  if (word) yield [first.index, `begins with "${word[0]}": name the subject first`]
}

/** Each rule names the nodes of Markdown whose text it checks, and yields pairs of an index in the text and a message. */
const everywhere = ['paragraph', 'heading', 'tableCell']
export const phraseRule = { types: everywhere, check: (text) => rejected(phrases, text) }
export const peopleRule = { types: everywhere, check: (text) => rejected(people, text) }
export const lengthRule = { types: ['paragraph', 'tableCell'], check: longSentences }
export const fragmentRule = { types: ['paragraph'], check: fragments }

/** Areas of commit subjects: the layers of the engine, the folders of the rest, and a few topics. */
export const areas = [
  ...[
    'base',
    'compression',
    'crypto',
    'engine',
    'fs',
    'journal',
    'link',
    'loop',
    'names',
    'napi',
    'native',
    'net',
    'pairing',
  ],
  ...['path', 'quic', 'source', 'target', 'transfer', 'wire'],
  ...[
    'bench',
    'cli',
    'client',
    'e2e',
    'electron',
    'renderer',
    'scripts',
    'shared',
    'signaling',
    'web',
  ],
  ...['ci', 'deps', 'docs', 'packages', 'release', 'tests'],
]

const maxSubjectLength = 72

/** Sentences about the subject of a commit. Subjects that Git writes are not checked. */
export function subjectProblems(subject) {
  if (/^(Merge|Revert|fixup!|squash!|amend!) ?/.test(subject)) return []
  const [, area, effect] = /^([a-z0-9-]+): (\S.*)$/.exec(subject) ?? []
  const problems = []
  if (!area) problems.push('The subject must have the form "area: imperative".')
  else if (!areas.includes(area))
    problems.push(`"${area}" is not an area: use ${areas.join(', ')}.`)
  if (subject.length > maxSubjectLength)
    problems.push(`The subject has ${subject.length} characters, at most ${maxSubjectLength}.`)
  for (const [, message] of rejected([...people, ...phrases], effect ?? '')) problems.push(message)
  return problems
}
