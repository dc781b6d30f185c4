// The long description of packages.
const lines = [
  'Thruflux sends files and folders of any size from one computer to another,',
  'directly wherever that is possible, encrypted from end to end, and resumes',
  'where it was interrupted. A join code of a number and three words is all',
  'that the receiver needs.',
  '',
  'The package has the desktop app and the thru command.',
]

const warning = [
  '',
  'For trials only: its Electron is an old substitute without security fixes.',
  'Do not use it for files from strangers.',
]

/** Lines of at most 80 characters; an empty line separates paragraphs. */
export const description = ({ substitute }) => (substitute ? [...lines, ...warning] : lines)
