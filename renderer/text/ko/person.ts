import { isolated } from '../names'

/** A person's or a computer's name before a particle; 님 takes the same ones whatever the name ends in. */
const known = (name: string): string => `${isolated(name)}님`

/** Who something is about, at the beginning of a sentence. */
export const person = (name: string): string => (name === '' ? '누군가' : known(name))

/** Who does something. */
export const subject = (name: string): string => (name === '' ? '누군가가' : `${known(name)}이`)

/** Whom something happens to. */
export const object = (name: string): string => (name === '' ? '이 사람을' : `${known(name)}을`)

/** Where something comes from. */
export const source = (name: string): string => `${person(name)}에게서`
