/** Texts of the sheet with licenses, and of the link to it. */
export const licensesText = {
  licenses: {
    title: 'Licenses',
    about: 'Thruflux is free software under the MIT License. It includes third-party software.',
    show: 'Show licenses',
  },
} as const
