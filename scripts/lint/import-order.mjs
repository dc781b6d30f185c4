// The order of imports, as a rule for Oxlint: side effects, Node, packages, our layers, other folders, this folder; no blank lines between
// them. Names in braces are sorted too.
const groups = [/^\0/, /^node:/, /^@?\w/, /^#/, /^/, /^\./]
const collator = new Intl.Collator('en', { caseFirst: 'upper', numeric: true })

/** The group with the longest match. */
function groupOf(node) {
  const source = (node.specifiers.length === 0 ? '\0' : '') + node.source.value
  const lengths = groups.map((group) => group.exec(source)?.[0].length ?? -1)
  return lengths.indexOf(Math.max(...lengths))
}

/** `../../a` precedes `../a`, and both precede `./a`. */
const keyOf = ({ source }) =>
  source.value
    .replace(/^[./]*\.$/, '$&/')
    .replace(/^[./]*\/$/, '$&,')
    .replace(/[./_-]/g, (char) => ({ '.': '_', '/': '-', _: '.', '-': '/' })[char])

/** Imports for their side effects stay in their order. */
const byOrder = (a, b) =>
  groupOf(a) - groupOf(b) || (groupOf(a) > 0 ? collator.compare(keyOf(a), keyOf(b)) : 0)

const nameOf = ({ imported, local }) => imported.name ?? imported.value + local.name

/** The text of an import with its names in order. */
function sortedText(node, code) {
  const names = node.specifiers.filter(({ type }) => type === 'ImportSpecifier')
  const sorted = [...names].sort((a, b) => collator.compare(nameOf(a), nameOf(b)))
  let text = ''
  let end = node.range[0]
  names.forEach((name, index) => {
    text += code.text.slice(end, name.range[0]) + code.getText(sorted[index])
    end = name.range[1]
  })
  return text + code.text.slice(end, node.range[1])
}

const order = {
  meta: { fixable: 'code' },
  create: (context) => ({
    Program({ body }) {
      const code = context.sourceCode
      const runs = [] // Imports with nothing but white space between them.
      for (const node of body.filter(({ type }) => type === 'ImportDeclaration')) {
        const last = runs.at(-1)?.at(-1)
        if (last && !code.text.slice(last.range[1], node.range[0]).trim()) runs.at(-1).push(node)
        else runs.push([node])
      }
      for (const run of runs) {
        const range = [run[0].range[0], run.at(-1).range[1]]
        const sorted = [...run]
          .sort(byOrder)
          .map((node) => sortedText(node, code))
          .join('\n')
        if (sorted !== code.text.slice(...range))
          context.report({
            node: run[0],
            message: 'Imports are not in order: "npm run fix" sorts them.',
            fix: (fixer) => fixer.replaceTextRange(range, sorted),
          })
      }
    },
  }),
}

// Oxlint expects a default export.
export default { meta: { name: 'ours' }, rules: { 'import-order': order } }
