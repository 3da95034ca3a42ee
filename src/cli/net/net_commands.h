/* net_commands.h - what `aji net` has: each subcommand is a function of main's form, argv[0] its
 * own word, that returns the exit code. Threading: confined. */
#pragma once

int net_new_command(int argc, char **argv);
int net_info_command(int argc, char **argv);
int net_convert_command(int argc, char **argv);
int net_show_command(int argc, char **argv);
int net_check_command(int argc, char **argv);
