/**
 * What the command was started with, hidden from other processes before anything else runs: a code
 * must not stay in the list of processes. The first import of the program.
 */

// On Linux and macOS this overwrites the arguments that the system shows; Node keeps its own copy.
process.title = 'thru'

/** `THRU_CODE`, which no program that this one starts gets to see. */
export const codeVariable = process.env['THRU_CODE']
delete process.env['THRU_CODE']
