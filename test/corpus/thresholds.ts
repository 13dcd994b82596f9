/** Differences that no list names: none may be. */
export const mostSilent = 0;

/** Of the people about whom nothing has to be asked. */
export const leastRight = 0.97;

/** The same of forty exports: how many of one shape are among them is chance. */
export const leastRightOfForty = 0.95;

/** Questions that the table of evidence does not ask, of all people. */
export const mostNeedless = 0.01;
