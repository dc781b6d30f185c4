// The common parts of all plots: size, title, text and colors, light or dark like the page that shows them.

/** The width of every picture. */
export const width = 720

/** Returns the style rules of a picture: those of its text, and its own in `light` and `dark`. */
const style = ({ light, dark }) => `
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600; font-size: 15px }
.quiet { fill: #59636e; font-size: 12px }${light}
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .quiet { fill: #9198a1 }${dark}
}`

const escape = (words) =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Returns text at a position; `look` is a class of the rules. */
export const text = (x, y, anchor, what, look = '') =>
  `<text${look && ` class="${look}"`} x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${escape(what)}</text>`

export const segment = (x1, y1, x2, y2, look) =>
  `<line class="${look}" x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}"/>`

/** Returns a titled picture of `height` as SVG; `look` has rules for `style`. */
export const picture = (what, height, look, parts) =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(what)}">`,
    `<style>${style(look)}\n</style>`,
    text(16, 26, 'start', what, 'title'),
    ...parts,
    '</svg>',
    '',
  ].join('\n')
