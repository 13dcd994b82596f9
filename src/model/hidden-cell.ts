/** Stands for a cell that is not shown, such as a password; no cell of an input has this text. */
export const hiddenCell = '\0hidden';
