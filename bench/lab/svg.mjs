// What all plots have in common: text and colors of the page that shows them, light or dark.

/** The rules of a picture: those of its texts, and its own in `light` and `dark`. */
export const style = ({ light, dark }) => `
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600; font-size: 15px }
.quiet { fill: #59636e; font-size: 12px }${light}
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .quiet { fill: #9198a1 }${dark}
}`

export const escape = (words) =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Words at a place; `look` is a class of the rules. */
export const text = (x, y, anchor, what, look = '') =>
  `<text${look && ` class="${look}"`} x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${escape(what)}</text>`

export const segment = (x1, y1, x2, y2, look) =>
  `<line class="${look}" x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}"/>`
