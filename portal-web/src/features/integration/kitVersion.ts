/** The version of the operators' kit that was built with the pages, which the portal serves. */
export const kitVersion: string = String(import.meta.env.VITE_KIT_VERSION);
