// The prose of a source file as Markdown, line for line, so that reports name the right line.

const lineComment = /^\s*(?:\/\/+|#(?!!))(.*)$/
const trailingComment = /[;,{}()\]\w] (?:\/\/|#) (.*)$/
const tag = /^@(?:param|returns?|throws)\b(?:\s+\{[^}]*\})?(?:\s+[\w.[\]]+)?\s*-?\s*/
const preprocessor =
  /^\s*#\s*(include|if|ifdef|ifndef|el|else|elif|endif|define|undef|pragma|error)\b/
const quoted = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g

/** The comments of a file. Its code is left out, and a tag of a doc comment begins a list item. */
export function commentsOf(text) {
  let inBlock = false
  return text
    .split('\n')
    .map((line) => {
      let comment
      if (inBlock || /^\s*\{?\/\*/.test(line)) {
        inBlock = !line.includes('*/')
        comment = line.replace(/^\s*\{?\/\*+|\*\/.*$/g, '').replace(/^\s*\*/, '')
      } else if (!preprocessor.test(line)) {
        comment = (lineComment.exec(line) ?? trailingComment.exec(line))?.[1]
      }
      return (comment ?? '').trim().replace(tag, '- ')
    })
    .join('\n')
}

/** The quoted texts of a catalogue, those of a line as one list item. */
export function textsOf(text) {
  return text
    .split('\n')
    .map((line) => {
      if (/^\s*(import\b|\/\/|\/?\*)|\bfrom '/.test(line)) return ''
      const texts = [...line.matchAll(quoted)].map(([, single, double, template]) =>
        (single ?? double ?? template).replace(/\$\{[^}]*\}/g, 'X'),
      )
      return texts.length > 0 ? `- ${texts.join(' ')}` : ''
    })
    .join('\n')
}
