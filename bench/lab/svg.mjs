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

export const escape = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
