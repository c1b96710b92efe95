import fc from 'fast-check';

// The same cases in every run: a landing is held up by what it changed, not by chance. Other seeds are for looking further.
fc.configureGlobal({ seed: 20_261_120 });
