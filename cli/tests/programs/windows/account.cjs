// Loaded before `thru`: folders of an account of the test's own. Wine replaces what its caller says of these variables.
for (const name of ['APPDATA', 'LOCALAPPDATA']) process.env[name] = process.env[`THRU_TEST_${name}`]
