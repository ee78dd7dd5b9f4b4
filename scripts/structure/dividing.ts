/** Processes that are still being divided into modules: the rules inside and between modules don't hold there yet. */
export const dividing: readonly string[] = ['services/auth'];
