// Texts of the panel, read once before anything is drawn.
import { readWords } from "./words.js";

const words = await readWords("panel_script");

export const { say: t, has, money, exact, time, language } = words;
