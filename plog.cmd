@echo off
rem Runs plog on Windows, and builds it first when it has not been built yet. After a change of the sources delete
rem app\target\quick\plog.jar.
rem   JAVA_HOME       the JDK to build and run with (default: the java on the PATH)
rem   PLOG_JAVA_OPTS  more flags for the JVM, after those below, so they win
setlocal
set "root=%~dp0"
set "jar=%root%app\target\quick\plog.jar"
set "java=java"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java.exe"
if exist "%jar%" goto run
echo plog: building the program (once) ... 1>&2
call mvn -q -B -ntp -f "%root%pom.xml" -pl app -am -Dplog.quick package 1>&2
if errorlevel 1 exit /b 1
for %%f in ("%root%app\target\quick\plog-app-*-all.jar") do copy /y "%%f" "%jar%" >nul
:run
"%java%" -XX:+PerfDisableSharedMem -XX:+UseSerialGC -XX:FreqInlineSize=100 -XX:InlineSmallCode=500 -XX:+ExitOnOutOfMemoryError -XX:+DisplayVMOutputToStderr ^
  -Djdk.nio.maxCachedBufferSize=262144 %PLOG_JAVA_OPTS% -jar "%jar%" %*
exit /b %errorlevel%
