// Loaded before `thru`: folders of a test account. Wine overrides these variables of its caller.
for (const name of ['APPDATA', 'LOCALAPPDATA']) process.env[name] = process.env[`THRU_TEST_${name}`]
