import { isolated } from '../names'

/** A person's or a computer's name in a sentence, or a word for someone whose name isn't known yet. */
export const person = (name: string): string => (name === '' ? 'Someone' : isolated(name))
