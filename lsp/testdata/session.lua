-- A session with the server: opens the file, spoils a speed, and prints what Neovim has of it.
local program, file = os.getenv("ROCEPLAN"), os.getenv("FABRIC")
vim.cmd("edit " .. file)
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({ name = "roceplan", cmd = { program, "lsp" }, root_dir = vim.fn.fnamemodify(file, ":h") })
vim.lsp.buf_attach_client(buffer, client)

local function wait(what, done)
  if not vim.wait(20000, done, 20) then
    print("no " .. what)
    vim.cmd("cquit")
  end
end

wait("server", function() return vim.lsp.get_client_by_id(client) and vim.lsp.get_client_by_id(client).initialized end)
local line = vim.fn.search('speed  = "25Gbps"') - 1
vim.api.nvim_buf_set_lines(buffer, line, line + 1, false, { '    speed  = "25"' })
wait("diagnostic", function() return #vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR }) > 0 end)
local found = vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR })[1]
print("diagnostic " .. found.code .. " in line " .. found.lnum - line .. " column " .. found.col)

local here = { textDocument = vim.lsp.util.make_text_document_params(buffer), position = { line = line, character = 6 } }
local hover = vim.lsp.buf_request_sync(buffer, "textDocument/hover", here, 20000)[client].result
print("hover " .. vim.split(hover.contents.value, "\n")[1])

vim.api.nvim_buf_set_lines(buffer, line, line + 1, false, { "    ga" })
here.position = { line = line, character = 6 }
local offered = vim.lsp.buf_request_sync(buffer, "textDocument/completion", here, 20000)[client].result
for _, item in ipairs(offered) do
  if item.label == "gearbox" then print("completion " .. item.label) end
end
vim.lsp.stop_client(client)
vim.cmd("qall!")
